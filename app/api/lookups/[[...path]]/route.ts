import { apiHandlers } from '#lib/server/mount.ts'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiHandlers
