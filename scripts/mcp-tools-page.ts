import { inputSchema, tools } from '../server/src/api/mcp/tools.ts'

/** Returns `docs/mcp-tools.md`: every tool with its role, its scope and its fields. */
export function mcpToolsPage(): string {
  const rows = tools.map(
    ({ name, endpoint, changes }) =>
      `| [\`${name}\`](#${name}) | ${changes === undefined ? 'reads' : 'changes'} | ${endpoint.role} | \`${endpoint.scope}\` | \`${endpoint.id}\` |`,
  )
  const sections = tools.flatMap((tool) => {
    const schema = inputSchema(tool)
    // Absent if every field is optional, despite its type.
    const required: readonly string[] = 'required' in schema ? schema.required : []
    const fields = Object.entries(schema.properties).map(
      ([field, { description = '' }]: [string, { description?: string }]) => {
        const mark = required.includes(field) ? ' (required)' : ''
        return `- \`${field}\`${mark}${description === '' ? '' : `: ${description}`}`
      },
    )
    return [`## ${tool.name}`, '', tool.description, '', ...fields, '']
  })
  return [
    '# Tools over MCP',
    '',
    'Each tool sends requests to the [REST API](openapi.json) for the caller, so it has the role, the scope, the checks and the errors of',
    'its operation. How to connect: [mcp.md](mcp.md). `npm run generate` writes this page from `server/src/api/mcp`.',
    '',
    '| Tool | Kind | Role | Scope | Operation |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    ...sections,
  ].join('\n')
}
