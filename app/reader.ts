import { headers } from 'next/headers'
import type { NumberMarks } from '#components/format/numbers.ts'
import { isPhone, readLanguage } from './page-reader.ts'

/** How the reader of this request has his numbers written. */
export const readMarks = async (): Promise<NumberMarks> =>
  readLanguage((await headers()).get('accept-language') ?? '').marks

/** Whether the reader of this request holds a phone. */
export const readIsPhone = async (): Promise<boolean> =>
  isPhone(Object.fromEntries(await headers()))
