import { toKeptName } from '#lib/contract/base-path.ts'

/** Where a browser keeps the saved views. Asked before anything of them is loaded. */
export const VIEWS_KEY = toKeptName('bellwether.views')
