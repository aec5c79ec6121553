import { toKeptCookie } from '#components/ui/kept-cookie.ts'
import { toKeptName } from '#lib/contract/base-path.ts'

export const STRIP_COOKIE = toKeptName('moved-away')

export const toStripCookie = (): string => toKeptCookie(STRIP_COOKIE, '1')
