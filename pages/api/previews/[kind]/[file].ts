import { loadSymbolPreview, loadUserPreview } from '#components/preview/preview.tsx'
import { onPreview } from '#lib/server/routes/on-socket.ts'

export const config = { api: { bodyParser: false, responseLimit: false, externalResolver: true } }

export default onPreview({ symbols: loadSymbolPreview, users: loadUserPreview })
