import { toKeptName } from '#lib/contract/base-path.ts'

export const VIEWS_KEY = toKeptName('bellwether.views')
