import { apiHandlers } from '#lib/server/routes/mount.ts'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiHandlers
