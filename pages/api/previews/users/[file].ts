import { loadUserPreview } from '#components/preview/preview.tsx'
import { mountPreview } from '#lib/server/previews.ts'

export const config = { api: { bodyParser: false, responseLimit: false, externalResolver: true } }

export default mountPreview('user', loadUserPreview)
