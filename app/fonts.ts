import { GeistSans } from 'geist/font/sans'
import localFont from 'next/font/local'

// The package's own mono is preloaded on every page; ours comes where a checksum or a command is shown.
const mono = localFont({
  src: '../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2',
  variable: '--font-geist-mono',
  weight: '100 900',
  preload: false,
  adjustFontFallback: false,
})

/** The classes that define both fonts' variables. */
export const fontClasses = `${GeistSans.variable} ${mono.variable}`
