import type { Tool as ToolDescription } from '@modelcontextprotocol/sdk/types.js'
import { strictObject } from '@everscan/contract/schema/common.ts'
import type { TObject } from 'typebox'
import { changingTools } from './changing-tools.ts'
import { readingTools } from './reading-tools.ts'
import type { Tool } from './tool.ts'
import { dryRunField } from './tool-schemas.ts'

/** Every tool, in the order of the list. */
export const tools: readonly Tool[] = [...readingTools, ...changingTools]

/** The schema of what a client sends: a tool that changes something has `dryRun`. */
export function inputSchema({ input, changes }: Tool): TObject {
  return changes === undefined ? input : strictObject({ ...input.properties, ...dryRunField })
}

/** Describes a tool for `tools/list`. */
export function describeTool(tool: Tool): ToolDescription {
  const { name, title, description, output, changes } = tool
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(tool) as unknown as ToolDescription['inputSchema'],
    ...(output !== undefined && { outputSchema: output as NonNullable<ToolDescription['outputSchema']> }),
    annotations: {
      readOnlyHint: changes === undefined,
      destructiveHint: changes?.replaces ?? false,
      idempotentHint: changes?.repeatable ?? true,
      openWorldHint: false,
    },
  }
}
