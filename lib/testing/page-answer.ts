import type { Rating } from '#lib/contract/rating.ts'
import { type PlainAnswer, toFailureAnswer, toJsonAnswer } from './plain-answer.ts'
import type { ServiceScript } from './service-script.ts'
import { conditional, toValidators } from './validators.ts'

/** A page of the ratings as the script lists them; `page` null where the address names none. */
export function toPageAnswer(request: Request, script: ServiceScript): PlainAnswer {
  const asked = new URL(request.url).searchParams.get('page')
  if (asked !== null && !/^\d{1,7}$/.test(asked)) return toFailureAnswer(400, 'page: not a number')
  const number = asked === null ? script.firstPage : Number(asked)
  const index = number - script.firstPage
  if (index < 0) return toFailureAnswer(400, 'page: too small')
  const rows = [...script.broken, ...sortRows(script)]
  const pages = Math.max(1, Math.ceil(rows.length / script.pageSize))
  if (index >= pages && script.pastEnd === 'not_found') return toFailureAnswer(404, 'no such page')
  if (index >= pages && script.pastEnd === 'error') return toFailureAnswer(400, 'page: too large')
  const shown = script.pastEnd === 'repeats' ? Math.min(index, pages - 1) : index
  const data = rows.slice(shown * script.pageSize, (shown + 1) * script.pageSize)
  const answer = toJsonAnswer(200, { success: true, code: 200, data })
  const said = toValidators(answer.body, script.pageValidators, script.dumpsMadeAt)
  return conditional(answer, request, said)
}

function sortRows({ ratings, order }: ServiceScript): Rating[] {
  if (typeof order === 'function') return ratings.toSorted(order)
  if (order === 'shuffled') return ratings.toSorted((a, b) => toHash(a.id) - toHash(b.id))
  const sign = order === 'oldest' ? 1 : -1
  return ratings.toSorted((a, b) => sign * (a.id - b.id))
}

/** Scatters ids, the same way each time. */
const toHash = (id: number) => (id * 7919) % 1009
