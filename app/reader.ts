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
import type { Reader } from '#lib/server/pages/cached-pages.ts'

/** Resolving number formats is slow. */
const LANGUAGES_KEPT = 500

const LONGEST_COOKIES = 8192

/**
 * Pages are cached by these headers and shared between readers: a page may depend on nothing else.
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

/** Normalized, so that equivalent cookies share a page. */
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

function readLanguage(header: string): ReaderLanguage {
  const known = languages.get(header)
  if (known) return known
  const language = toReaderLanguage(header)
  const read = { language, marks: toNumberMarks(language) }
  languages.set(header, read)
  return read
}

export const readMarks = async (): Promise<NumberMarks> =>
  readLanguage((await headers()).get('accept-language') ?? '').marks

/** One language for all with the same number marks, so that they share pages. */
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

function isPhone({ 'sec-ch-ua-mobile': hint, 'user-agent': agent }: IncomingHttpHeaders): boolean {
  return hint === undefined ? /\bMobi/.test(agent ?? '') : hint === '?1'
}

export const readIsPhone = async (): Promise<boolean> =>
  isPhone(Object.fromEntries(await headers()))

export async function readPermissions() {
  const parsed = processEnv()
  const signsIn = parsed.ok && parsed.env.access.mode !== 'open'
  return { may: readMay((await headers()).get(MAY)), signsIn }
}
