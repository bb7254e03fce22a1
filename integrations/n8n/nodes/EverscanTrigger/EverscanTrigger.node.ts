import {
  NodeApiError,
  NodeConnectionTypes,
  type IDataObject,
  type IHookFunctions,
  type IHttpRequestOptions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  type JsonObject,
} from 'n8n-workflow'
import { eventOptions } from './events'
import { isSigned } from './signature'

/** The webhook that a workflow registered, and the secret that only its creation showed. */
type Registered = { webhookId?: string; secret?: string }

export class EverscanTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Everscan Trigger',
    name: 'everscanTrigger',
    icon: { light: 'file:../../icons/everscan.svg', dark: 'file:../../icons/everscan.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Starts the workflow when a QR code is scanned, created or changed, or an import ends',
    defaults: { name: 'Everscan Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'everscanApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName:
          'The service must reach n8n: over HTTPS at a public address, unless it allows private addresses',
        name: 'notice',
        type: 'notice',
        default: '',
      },
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: eventOptions,
        default: ['qr.scanned'],
        required: true,
        description: 'The events that start the workflow',
      },
      {
        displayName: 'Batch Scans',
        name: 'batch',
        type: 'boolean',
        default: false,
        description: 'Whether to start the workflow once for up to 100 scans, with an item for each',
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId, secret } = registered(this)
        if (webhookId === undefined || secret === undefined) return false
        try {
          const found = await request(this, 'GET', `/${webhookId}`)
          return found['status'] === 'ENABLED' && found['url'] === this.getNodeWebhookUrl('default')
        } catch (error) {
          if (statusOf(error) === 404) return false
          throw new NodeApiError(this.getNode(), error as JsonObject)
        }
      },

      async create(this: IHookFunctions): Promise<boolean> {
        // One that is disabled, or calls an earlier address, would stay behind.
        await removeWebhook(this)
        const body = {
          url: this.getNodeWebhookUrl('default'),
          events: this.getNodeParameter('events'),
          batch: this.getNodeParameter('batch'),
          description: 'n8n',
        }
        const { id, secret } = await request(this, 'POST', '', body)
        Object.assign(registered(this), { webhookId: id, secret })
        return true
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        await removeWebhook(this)
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { rawBody } = this.getRequestObject()
    const { secret } = this.getWorkflowStaticData('node') as Registered
    const headers = this.getHeaderData() as Record<string, string | undefined>
    if (secret === undefined || !isSigned({ headers, body: rawBody }, secret)) {
      this.getResponseObject().status(401).send('The signature of the call is not valid').end()
      return { noWebhookResponse: true }
    }
    const event = JSON.parse(rawBody.toString()) as IDataObject & { data: { scans?: IDataObject[] } }
    const { scans } = event.data
    const items = scans === undefined ? [event] : scans.map((data) => ({ ...event, data }))
    return { workflowData: [this.helpers.returnJsonArray(items)] }
  }
}

function registered(context: IHookFunctions): Registered {
  return context.getWorkflowStaticData('node')
}

/** Removes the webhook that this node registered, if there is one. */
async function removeWebhook(context: IHookFunctions): Promise<void> {
  const known = registered(context)
  if (known.webhookId === undefined) return
  try {
    await request(context, 'DELETE', `/${known.webhookId}`)
  } catch (error) {
    // Someone may have removed it in the dashboard.
    if (statusOf(error) !== 404) throw new NodeApiError(context.getNode(), error as JsonObject)
  }
  delete known.webhookId
  delete known.secret
}

async function request(
  context: IHookFunctions,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: IDataObject,
): Promise<IDataObject> {
  const { baseUrl, organizationId } = await context.getCredentials('everscanApi')
  const base = `${String(baseUrl).replace(/\/+$/, '')}/api/v1`
  const options: IHttpRequestOptions = {
    method,
    url: `${base}/organizations/${encodeURIComponent(String(organizationId))}/webhooks${path}`,
    json: true,
    ...(body !== undefined && { body }),
  }
  return (await context.helpers.httpRequestWithAuthentication.call(
    context,
    'everscanApi',
    options,
  )) as IDataObject
}

/** The status that n8n's own errors and those of its requests have in different places. */
function statusOf(error: unknown): number {
  const { httpCode, statusCode, response } = error as {
    httpCode?: string
    statusCode?: number
    response?: { status?: number }
  }
  return Number(httpCode ?? statusCode ?? response?.status)
}
