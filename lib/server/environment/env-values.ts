import { isDecodable } from '#lib/contract/path-part.ts'
import 'server-only'
import { isIP } from 'node:net'
import * as z from 'zod/mini'

export const whole = (minimum: number, maximum: number) =>
  z.string().check(
    z.refine((text) => /^\d{1,9}$/.test(text) && +text >= minimum && +text <= maximum, {
      error: `is not a whole number from ${minimum} to ${maximum}`,
    }),
  )

export const matching = (pattern: RegExp, error: string) =>
  z.string().check(z.regex(pattern, error))

export const address = z.string().check(
  z.refine(isServiceAddress, {
    error: 'is not an http or https address without user, password, query or fragment',
  }),
  z.refine((text) => !isLinkLocal(text), {
    error: 'names a cloud metadata address',
  }),
)

export const networks = z.string().check(
  z.refine((text) => toList(text).every(isNetwork), {
    error: 'is not a comma-separated list of addresses or networks such as 10.0.0.0/8',
  }),
)

export const list = matching(/^[^,]+(?:,[^,]+)*$/, 'is not a comma-separated list')

export const toList = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && +prefix <= (family === 4 ? 32 : 128))
}

export const LOOPBACK = ['localhost', '127.0.0.1', '[::1]', '::1']

export const isLoopback = (host: string) =>
  LOOPBACK.includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host)

const isLinkLocal = (text: string) =>
  URL.canParse(text) &&
  /^(?:169\.254\.|\[fe[89ab]|\[::ffff:a9fe:|\[fd00:ec2::)/.test(new URL(text).hostname)

/** Without a scheme it is http, as in curl. It may have a user and a password. */
export const toProxyAddress = (text: string): string =>
  text === '' || text.includes('://') ? text : `http://${text}`

export function isProxyAddress(text: string): boolean {
  const address = toProxyAddress(text)
  if (!URL.canParse(address)) return false
  const { protocol, username, password, search, hash } = new URL(address)
  return (
    ['http:', 'https:'].includes(protocol) &&
    isDecodable(username) &&
    isDecodable(password) &&
    search === '' &&
    hash === ''
  )
}

export function isServiceAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return (
    ['http:', 'https:'].includes(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === ''
  )
}
