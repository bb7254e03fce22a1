import type { NetworkInterfaceInfo } from 'node:os'

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/** Interfaces of containers and virtual machines, which phones don't reach. */
const virtual = /^(docker|br-|veth|virbr|vmnet|vboxnet|cni|flannel|utun|tailscale|zt)/

/**
 * Returns the address at which other devices of this network reach a service that listens on
 * `host`, or undefined if there is none.
 */
export function addressOnNetwork(host: string, interfaces: Interfaces): string | undefined {
  const outside = Object.entries(interfaces)
    .filter(([name]) => !virtual.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
  if (host === '0.0.0.0' || host === '::' || host === '') return outside[0]
  return outside.includes(host) ? host : undefined
}
