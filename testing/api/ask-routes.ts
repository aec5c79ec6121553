import { loadSymbolPreview, loadUserPreview } from '#components/preview/preview.tsx'
import type { Api } from '#lib/api/create-api.ts'
import { answerApi, answerWith } from '#lib/server/routes/mount.ts'
import { createPreviews, rasterise, respondPreview } from '#lib/server/routes/previews.ts'

const respondPicture = respondPreview(createPreviews({ rasterise, now: () => 0 }), {
  symbols: loadSymbolPreview,
  users: loadUserPreview,
})

export function placeApi(api: Api): void {
  const current = async () => ({ api, env: { allowedHosts: null } })
  Object.assign(globalThis, { [Symbol.for('bellwether.runtime')]: { current } })
}

export const askRoute = async (request: Request): Promise<Response> =>
  new URL(request.url).pathname.startsWith('/api/previews/')
    ? await answerWith(respondPicture)(request)
    : await answerApi(request)
