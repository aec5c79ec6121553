import { APPEARANCE_COOKIES } from '#components/ui/appearance.ts'
import { toKeptCookie } from '#components/ui/kept-cookie.ts'

export const toStripCookie = (): string => toKeptCookie(APPEARANCE_COOKIES.movedAway, '1')
