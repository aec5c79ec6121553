import { respondSitemap } from '#lib/server/indexing.ts'
import { toListing } from '#lib/server/mount.ts'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toListing(respondSitemap)
