import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow'
import { resourceFields } from './resources/resources'

export class Everscan implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Everscan',
    name: 'everscan',
    icon: { light: 'file:../../icons/everscan.svg', dark: 'file:../../icons/everscan.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Create dynamic QR codes, change where they lead, and read their scans',
    defaults: { name: 'Everscan' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'everscanApi', required: true }],
    requestDefaults: {
      baseURL: '={{ $credentials.baseUrl.replace(/\\/+$/, "") }}/api/v1',
      headers: { Accept: 'application/json' },
      arrayFormat: 'repeat',
    },
    properties: resourceFields,
  }
}
