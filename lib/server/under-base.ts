import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BASE_PATH, withBase, withoutBase } from '#lib/contract/base-path.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { Answerer } from './page-render.ts'
import { sendRefusal } from './refuse.ts'

type Base = Readonly<{
  base: string
  withBase: (address: string) => string
  withoutBase: (asked: string) => string | null
}>

const OURS: Base = { base: BASE_PATH, withBase, withoutBase }

/**
 * Stands before and behind what is put before the framework: whatever stands between sees addresses as if the application had
 * the host for itself, and the framework sees what was asked. What is asked elsewhere on the host meets `guard` alone, and is
 * not here; the first address of the host leads to ours.
 */
export function standUnderBase(
  { guard, front }: Record<'guard' | 'front', (answer: Answerer) => Answerer>,
  { base, withBase, withoutBase }: Base = OURS,
): (answer: Answerer) => Answerer {
  if (base === '') return (answer) => guard(front(answer))
  const outside = guard((request, response) => sendElsewhere(base, request, response))
  return (answer) => {
    const inside = guard(
      front((request, response) => {
        request.url = withBase(request.url ?? '/')
        answer(request, response)
      }),
    )
    return (request, response) => {
      const address = withoutBase(toPath(request.url ?? '/'))
      if (address === null) return outside(request, response)
      request.url = address
      inside(request, response)
    }
  }
}

/** Who asks a proxy may name the host in the address, too. */
function toPath(url: string): string {
  if (url.startsWith('/') || !URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return pathname + search
}

function sendElsewhere(base: string, request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/' && (request.method === 'GET' || request.method === 'HEAD')) {
    const headers = { location: base, 'cache-control': 'no-store', 'content-length': 0 }
    response.writeHead(307, headers).end()
    return
  }
  sendRefusal(new AppError('not_found', `This dashboard stands under ${base}.`), request, response)
}
