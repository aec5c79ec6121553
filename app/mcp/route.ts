import { mcpHandlers } from '#lib/server/routes/mcp.ts'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mcpHandlers
