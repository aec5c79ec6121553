import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BASE_PATH, withBase, withoutBase } from '#lib/contract/base-path.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toPlainAddress } from './plain-address.ts'
import { type Answerer, sendRefusal } from './refuse.ts'

type Base = Readonly<{
  base: string
  withBase: (address: string) => string
  withoutBase: (asked: string) => string | null
}>

const OURS: Base = { base: BASE_PATH, withBase, withoutBase }

/** `guard` and `front` see addresses without the base path; the framework gets it back. */
export function serveUnderBase(
  { guard, front }: Record<'guard' | 'front', (answer: Answerer) => Answerer>,
  { base, withBase, withoutBase }: Base = OURS,
): (answer: Answerer) => Answerer {
  const outside = guard((request, response) => sendElsewhere(base, request, response))
  return (answer) => {
    const inside = guard(
      front((request, response) => {
        request.url = withBase(request.url ?? '/')
        answer(request, response)
      }),
    )
    return (request, response) => {
      const plain = toPlainAddress(request.url ?? '/')
      const address = withoutBase(plain)
      request.url = address ?? plain
      if (address === null) outside(request, response)
      else inside(request, response)
    }
  }
}

function sendElsewhere(base: string, request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/' && (request.method === 'GET' || request.method === 'HEAD')) {
    const headers = { location: base, 'cache-control': 'no-store', 'content-length': 0 }
    response.writeHead(307, headers).end()
    return
  }
  sendRefusal(
    new AppError('not_found', `This dashboard is served under ${base}.`),
    request,
    response,
  )
}
