import { GeistSans } from 'geist/font/sans'
import localFont from 'next/font/local'

/** Latin letters. */
const mono = localFont({
  src: '../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  variable: '--font-geist-mono',
  weight: '100 900',
  preload: false,
  adjustFontFallback: false,
})

export const fontClasses = `${GeistSans.variable} ${mono.variable}`
