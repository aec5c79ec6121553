'use client'

import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { createFormats, ENGLISH_FORMATS, type Formats, type NumberMarks } from './numbers.ts'

const Context = createContext<Formats>(ENGLISH_FORMATS)

/** Server and browser share these marks: differing Intl data would break hydration. */
export function FormatsProvider({ marks, children }: { marks: NumberMarks; children: ReactNode }) {
  const formats = useMemo(() => createFormats(marks), [marks])
  return <Context value={formats}>{children}</Context>
}

export const useFormats = (): Formats => useContext(Context)

export const Count = ({ of }: { of: number }) => useFormats().formatCount(of)
