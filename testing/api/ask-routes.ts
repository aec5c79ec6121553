import type { Api } from '#lib/api/create-api.ts'
import { respondLinkPicture } from '#lib/server/routes/link-picture.tsx'
import { answerApi, answerWith } from '#lib/server/routes/mount.ts'

const respondPicture = respondLinkPicture()

export function placeApi(api: Api): void {
  const current = async () => ({ api, env: { allowedHosts: null } })
  Object.assign(globalThis, { [Symbol.for('bellwether.runtime')]: { current } })
}

export const askRoute = async (request: Request): Promise<Response> =>
  new URL(request.url).pathname.startsWith('/api/previews/')
    ? await answerWith(respondPicture)(request)
    : await answerApi(request)
