import { accessHandlers } from '#lib/server/access/mount-access.ts'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessHandlers
