import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFormats, ENGLISH } from './numbers.ts'
import { toNumberMarks, toReaderLanguage } from './reader-language.ts'

describe("the reader's language", () => {
  it('is the one he likes best among those that numbers are known for', () => {
    expect(toReaderLanguage('de-DE,de;q=0.9,en;q=0.8')).toBe('de-DE')
    expect(toReaderLanguage('en;q=0.2, fr-FR;q=0.9, de;q=0.9')).toBe('fr-FR')
    expect(toReaderLanguage('xx-klingon, hi-in;q=0.5')).toBe('hi-IN')
    expect(toReaderLanguage('de;q=0, fr')).toBe('fr')
  })

  it('is English where nothing that can be read was sent', () => {
    for (const header of [null, '', '*', ';;,', 'de;q=x', 'a'.repeat(5000), '<script>']) {
      expect(toReaderLanguage(header)).toBe('en-US')
    }
  })

  it('is never more than a plain tag, whatever a header says', () => {
    expect(toReaderLanguage('de-DE-u-nu-thai-ca-buddhist')).toBe('de-DE')
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(() => toNumberMarks(toReaderLanguage(header))).not.toThrow()
      }),
    )
  })
})

describe('numbers in the marks of a language', () => {
  const of = (language: string) => createFormats(toNumberMarks(language))

  it('are grouped and marked as it does', () => {
    const written = (language: string) => {
      const { formatCount, formatPrediction, formatConsensus } = of(language)
      const texts = [formatCount(98_310), formatPrediction('-1234.50'), formatConsensus('4.2150')]
      return texts.map((text) => text.replace(/\s/g, ' '))
    }
    expect(written('en-US')).toEqual(['98,310', '−1,234.50%', '4.22'])
    expect(written('de-DE')).toEqual(['98.310', '−1.234,50 %', '4,22'])
    expect(written('fr-FR')).toEqual(['98 310', '−1 234,50 %', '4,22'])
    expect(of('hi-IN').formatCount(123_456_789)).toBe('12,34,56,789')
    expect(of('es-ES').formatCount(1234)).toBe('1234')
    expect(of('es-ES').formatCount(12_345)).toBe('12.345')
    expect(of('tr-TR').formatPrediction('12.50')).toBe('+%12,50')
    expect(of('de-DE').formatBytes(11_812_345)).toBe('11,8 MB')
    expect(of('de-DE').formatCounted(2911, 'rating')).toBe('2.911 ratings')
  })

  it('are those that the platform itself would write, for every count in every language', () => {
    const languages = ['en', 'de', 'fr', 'hi', 'es', 'pl', 'pt-PT', 'ar-EG', 'fa', 'sv', 'ja', 'bn']
    fc.assert(
      fc.property(fc.constantFrom(...languages), fc.nat(), (language, count) => {
        const own = new Intl.NumberFormat(language, { numberingSystem: 'latn' })
        expect(of(language).formatCount(count)).toBe(own.format(count))
      }),
    )
  })

  it('keep every digit that came, in every language', () => {
    const decimals = fc
      .tuple(fc.nat({ max: 999_999_999 }), fc.stringMatching(/^\d{1,6}$/))
      .map(([whole, fraction]) => `${whole}.${fraction}`)
    fc.assert(
      fc.property(fc.constantFrom('en', 'de', 'fr', 'hi', 'ar-EG'), decimals, (language, text) => {
        const digits = (written: string) => written.replace(/\D/g, '')
        expect(digits(of(language).formatPrediction(text))).toBe(digits(text))
      }),
    )
  })

  it('of English are what stands where nothing was handed down', () => {
    expect(toNumberMarks('en-US')).toEqual(ENGLISH)
  })
})
