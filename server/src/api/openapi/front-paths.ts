import { errorName } from './openapi-common.ts'

/** Operations below /api/v1 that the process on the public port answers itself, by path. */
export const frontPaths = {
  '/tls-allowed': {
    get: {
      operationId: 'readTlsAllowed',
      summary: 'Ask whether a host may have a certificate.',
      description:
        'For proxies that make certificates when a host is first asked for, such as Caddy with `ask`: 200 for the host of PUBLIC_URL and for proved domains, else 404. Only loopback and private addresses may ask, and not through a proxy: others get 403. Requires no API key.',
      tags: ['Domains'],
      security: [],
      'x-permission': 'public',
      parameters: [
        {
          name: 'domain',
          in: 'query',
          required: true,
          description: 'The host name.',
          schema: { type: 'string', minLength: 1 },
          example: 'go.example.com',
        },
      ],
      responses: {
        200: { description: 'OK: the host may have a certificate. There is no body.' },
        ...Object.fromEntries(
          [400, 403, 404].map((status) => [status, { $ref: `#/components/responses/${errorName(status)}` }]),
        ),
      },
    },
  },
} as const
