import { cookies } from 'next/headers'
import { createFormats } from '#components/format/numbers.ts'
import {
  FIRST_VISIT_COOKIE,
  toFirstVisitText,
  toVisitedCookie,
} from '#components/shell/first-visit.ts'
import { FirstVisitLine } from '#components/shell/first-visit-line.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import { facetsOptions } from '#lib/client/query-options.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { askInProcess } from '#lib/server/ask-in-process.ts'
import { readMarks } from './reader-marks.ts'
import { loadStatus } from './status.ts'

/** What a newcomer should know, drawn with the page so that nothing moves; nothing for who has put it away. */
export async function FirstVisit() {
  if ((await cookies()).has(FIRST_VISIT_COOKIE)) return null
  const text = await loadText()
  return text === null ? null : <FirstVisitLine text={text} cookie={toVisitedCookie()} />
}

/** Null where there is no rating to speak of: an archive that is empty, or not open. */
async function loadText(): Promise<string | null> {
  const answers = await Promise.all([
    loadStatus(),
    createQueryClient().fetchQuery(facetsOptions(EVERY_RATING, askInProcess)),
  ]).catch(() => null)
  if (answers === null) return null
  const [{ data: status }, { data: facets }] = answers
  const { bounds, distinct } = facets
  if (bounds.created === null) return null
  // The bound is the second after the last rating.
  const newest = bounds.created.to - 1
  const { service, now } = status
  return toFirstVisitText({ service, ...distinct, newest, now }, createFormats(await readMarks()))
}
