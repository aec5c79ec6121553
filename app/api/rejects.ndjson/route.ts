import { respondRejects } from '#lib/api/status.ts'
import { toHandlers } from '#lib/server/mount.ts'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toHandlers(respondRejects)
