'use client'

import dynamic from 'next/dynamic'

/** Not part of the table's scripts. */
export const SymbolMap = dynamic(() =>
  import('./symbol-map-screen.tsx').then((module) => module.SymbolMapScreen),
)
