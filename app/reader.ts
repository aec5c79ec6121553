import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import { headers } from 'next/headers'
import type { NumberMarks } from '#components/format/numbers.ts'
import { toNumberMarks, toReaderLanguage } from '#components/format/reader-language.ts'
import {
  parseSettings,
  SETTINGS_COOKIE,
  toSettingsText,
} from '#components/ratings/table/columns.ts'
import { processEnv } from '#lib/server/environment/env.ts'
import { MAY, readMay } from '#lib/server/gate/callers.ts'
import { isHttps, readForwardedProto } from '#lib/server/gate/request-policy.ts'
import type { Reader } from '#lib/server/pages/page-front.ts'

/** Who has asked lately is recognised by what his browser sent: telling numbers apart takes the platform a while. */
const LANGUAGES_KEPT = 500

/** What is longer is nobody's browser's. */
const LONGEST_COOKIES = 8192

/**
 * What a page may know of who asks for it, whatever else a request says: pages are kept and sent to everybody of whom
 * the same is known. The host and the scheme stand in a page's links, the language in its numbers; what he may do decides
 * what is offered to him; the page of ratings knows the reader's columns, and a symbol's whether he holds a phone.
 */
export function createPageReader(): (headers: IncomingHttpHeaders, path: string) => Reader {
  const toLanguage = createLanguages()
  return (given, path) => {
    const known: Record<string, string> = {
      host: given.host ?? '',
      'accept-language': toLanguage(given['accept-language'] ?? ''),
    }
    const vary = ['Accept-Language']
    const may = given[MAY]
    if (typeof may === 'string') {
      known[MAY] = may
      vary.push('Cookie')
    }
    if (isHttps(readForwardedProto(given))) known['x-forwarded-proto'] = 'https'
    if (path === '/') {
      if (!vary.includes('Cookie')) vary.push('Cookie')
      const settings = readSettings(given.cookie ?? '')
      if (settings !== '') known.cookie = `${SETTINGS_COOKIE}=${encodeURIComponent(settings)}`
    }
    if (path.startsWith('/symbols/')) {
      vary.push('Sec-CH-UA-Mobile', 'User-Agent')
      known['sec-ch-ua-mobile'] = isPhone(given) ? '?1' : '?0'
    }
    return { headers: known, vary }
  }
}

/** The reader's columns as the page will read them: two texts that mean the same are one. */
function readSettings(cookies: string): string {
  if (cookies.length > LONGEST_COOKIES) return ''
  const name = `${SETTINGS_COOKIE}=`
  const found = cookies.split(';').findLast((part) => part.trim().startsWith(name))
  if (found === undefined) return ''
  try {
    return toSettingsText(parseSettings(decodeURIComponent(found.trim().slice(name.length))))
  } catch {
    return ''
  }
}

type ReaderLanguage = { language: string; marks: NumberMarks }

const languages = new LRUCache<string, ReaderLanguage>({ max: LANGUAGES_KEPT })

/** The language that a header asks for, and how numbers are written in it. */
function readLanguage(header: string): ReaderLanguage {
  const known = languages.get(header)
  if (known) return known
  const language = toReaderLanguage(header)
  const read = { language, marks: toNumberMarks(language) }
  languages.set(header, read)
  return read
}

/** How the reader of this request has his numbers written. */
export const readMarks = async (): Promise<NumberMarks> =>
  readLanguage((await headers()).get('accept-language') ?? '').marks

/** Gives one language for all that write numbers alike: a page knows no more of it. */
function createLanguages(): (header: string) => string {
  const byMarks = new Map<string, string>()
  return (header) => {
    const { language, marks } = readLanguage(header)
    const key = JSON.stringify(marks)
    const first = byMarks.get(key) ?? language
    byMarks.set(key, first)
    return first
  }
}

/**
 * Whether a reader holds a phone, by what his browser calls itself. Its width is not known here and is not guessed: a
 * narrow window on a desk is a desk's.
 */
function isPhone({ 'sec-ch-ua-mobile': hint, 'user-agent': agent }: IncomingHttpHeaders): boolean {
  return hint === undefined ? /\bMobi/.test(agent ?? '') : hint === '?1'
}

/** Whether the reader of this request holds a phone. */
export const readIsPhone = async (): Promise<boolean> =>
  isPhone(Object.fromEntries(await headers()))

/** What the reader of this request may do, and whether people sign in here at all. */
export async function readPermissions() {
  const parsed = processEnv()
  const signsIn = parsed.ok && parsed.env.access.mode !== 'open'
  return { may: readMay((await headers()).get(MAY)), signsIn }
}
