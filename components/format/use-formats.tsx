'use client'

import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { createFormats, ENGLISH_FORMATS, type Formats, type NumberMarks } from './numbers.ts'

const Context = createContext<Formats>(ENGLISH_FORMATS)

/**
 * Hands down how the reader's language writes numbers. The server reads it from the request and both sides write by
 * the same few marks: a browser whose tables differ from the server's draws the same text still.
 */
export function FormatsProvider({ marks, children }: { marks: NumberMarks; children: ReactNode }) {
  const formats = useMemo(() => createFormats(marks), [marks])
  return <Context value={formats}>{children}</Context>
}

/** The formats of numbers for this reader. */
export const useFormats = (): Formats => useContext(Context)

/** A whole number as the reader's language writes it. */
export const Count = ({ of }: { of: number }) => useFormats().formatCount(of)

/** A mean of predictions, rounded once: `+9.50%`. */
export const MeanPrediction = ({ of }: { of: string | null }) =>
  useFormats().formatMeanPrediction(of)
