import { respondLinkPicture } from '#lib/server/routes/link-picture.tsx'
import { answerWith, toHandlers } from '#lib/server/routes/mount.ts'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toHandlers(
  answerWith(respondLinkPicture()),
)
