import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow'

export class EverscanApi implements ICredentialType {
  name = 'everscanApi'

  displayName = 'Everscan API'

  icon: Icon = { light: 'file:../icons/everscan.svg', dark: 'file:../icons/everscan.dark.svg' }

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      placeholder: 'https://qr.example.com',
      description: 'The address of the Everscan service',
      required: true,
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'Under "Developers" in the dashboard. The trigger needs a key with the role ADMIN.',
      required: true,
    },
    {
      displayName: 'Organization ID',
      name: 'organizationId',
      type: 'string',
      default: '',
      placeholder: 'org_…',
      description: 'The organization of the key, under "Developers" in the dashboard',
      required: true,
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'X-API-Key': '={{ $credentials.apiKey }}' } },
  }

  /** Any key may read its organization. The answer to another organization is 403. */
  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{ $credentials.baseUrl.replace(/\\/+$/, "") }}/api/v1',
      url: '=/organizations/{{ encodeURIComponent($credentials.organizationId) }}',
    },
  }
}
