import { linkPictureHandlers } from '#lib/server/routes/link-picture.tsx'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = linkPictureHandlers
