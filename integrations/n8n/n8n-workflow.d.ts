// The part of n8n's types that our nodes use, so that this repository checks them without n8n, whose
// packages are large and not free software. CONTRIBUTING.md says how to check against the real ones.
declare module 'n8n-workflow' {
  export type IDataObject = { [key: string]: unknown }
  export type JsonObject = { [key: string]: unknown }
  export type Icon = string | { light: string; dark: string }
  export const NodeConnectionTypes: { Main: 'main' }

  export class NodeApiError extends Error {
    constructor(node: INode, error: JsonObject)
  }

  export interface INode {
    name: string
  }

  export interface IHttpRequestOptions {
    url: string
    baseURL?: string
    method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
    headers?: IDataObject
    qs?: IDataObject
    body?: FormData | IDataObject | string
    json?: boolean
    arrayFormat?: 'indices' | 'brackets' | 'repeat' | 'comma'
    encoding?: 'arraybuffer'
  }

  export interface IN8nHttpFullResponse {
    body: IDataObject | ArrayBuffer | string
    headers: IDataObject
    statusCode: number
  }

  export interface IBinaryData {
    data: string
    mimeType: string
    fileName?: string
  }

  export interface INodeExecutionData {
    json: IDataObject
    binary?: Record<string, IBinaryData>
  }

  export interface INodePropertyOptions {
    name: string
    value: string | number | boolean
    action?: string
    description?: string
    routing?: IDataObject
  }

  export interface INodeProperties {
    displayName: string
    name: string
    type: string
    default: unknown
    description?: string
    placeholder?: string
    required?: boolean
    noDataExpression?: boolean
    options?: (INodePropertyOptions | INodeProperties)[]
    displayOptions?: { show?: Record<string, (string | boolean)[]> }
    typeOptions?: IDataObject
    routing?: IDataObject
  }

  export interface INodeTypeDescription {
    displayName: string
    name: string
    icon: Icon
    group: string[]
    version: number
    subtitle: string
    description: string
    defaults: { name: string }
    usableAsTool?: true
    inputs: 'main'[]
    outputs: 'main'[]
    credentials: { name: string; required: boolean }[]
    requestDefaults?: Partial<IHttpRequestOptions>
    webhooks?: { name: string; httpMethod: 'POST'; responseMode: 'onReceived'; path: string }[]
    properties: INodeProperties[]
  }

  export interface INodeType {
    description: INodeTypeDescription
  }

  export interface IAuthenticateGeneric {
    type: 'generic'
    properties: { headers: Record<string, string> }
  }

  export interface ICredentialTestRequest {
    request: { baseURL: string; url: string }
  }

  export interface ICredentialType {
    name: string
    displayName: string
    properties: INodeProperties[]
  }

  export namespace DeclarativeRestApiSettings {
    interface ResultOptions {
      options: { qs?: IDataObject }
    }
  }

  export interface IExecutePaginationFunctions {
    makeRoutingRequest(request: DeclarativeRestApiSettings.ResultOptions): Promise<INodeExecutionData[]>
  }

  export interface IExecuteSingleFunctions {
    getNodeParameter(name: string): unknown
    helpers: {
      prepareBinaryData(bytes: Buffer, fileName?: string, mimeType?: string): Promise<IBinaryData>
      assertBinaryData(field: string): IBinaryData
      getBinaryDataBuffer(field: string): Promise<Buffer>
    }
  }

  export interface IHookFunctions {
    getNode(): INode
    getNodeParameter(name: string): unknown
    getNodeWebhookUrl(name: 'default'): string | undefined
    getWorkflowStaticData(type: 'node'): IDataObject
    getCredentials(name: string): Promise<IDataObject>
    helpers: {
      httpRequestWithAuthentication(
        this: IHookFunctions,
        credentials: string,
        options: IHttpRequestOptions,
      ): Promise<unknown>
    }
  }

  export interface IWebhookFunctions {
    getHeaderData(): IDataObject
    getRequestObject(): { rawBody: Buffer }
    getResponseObject(): { status(code: number): { send(text: string): { end(): void } } }
    getWorkflowStaticData(type: 'node'): IDataObject
    helpers: { returnJsonArray(items: IDataObject[]): INodeExecutionData[] }
  }

  export interface IWebhookResponseData {
    workflowData?: INodeExecutionData[][]
    noWebhookResponse?: boolean
  }
}
