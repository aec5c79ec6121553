import { readMarkdown } from '#components/docs/read-docs.ts'
import { createMcpHandlers } from '#lib/server/routes/mcp.ts'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createMcpHandlers(readMarkdown)
