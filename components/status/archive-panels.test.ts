import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Gaps } from '#lib/contract/answers/status.ts'
import { CALM_STATUS } from '#testing/contract/status.ts'
import { CompletenessPanel } from './archive-panels.tsx'

const draw = (gaps: Gaps) =>
  renderToStaticMarkup(
    createElement(CompletenessPanel, {
      archive: { ...CALM_STATUS.archive, complete_to: 1_795_003_200, gaps },
    }),
  ).replace(/<[^>]+>/g, '')

const HOLE = { from: 451, to: 520 }

test('claims no gap only when every missing number is explained', () => {
  const none = draw({ ids: 0, unexplained: 0, listed: [] })
  expect(none).toContain('without a gap')
  const explained = { ids: 70, unexplained: 0, listed: [{ ...HOLE, reason: 'dump' as const }] }
  expect(draw(explained)).toContain('without a gap')
  const unexplained = {
    ids: 70,
    unexplained: 70,
    listed: [{ ...HOLE, reason: 'unknown' as const }],
  }
  expect(draw(unexplained)).not.toContain('without a gap')
  expect(draw(unexplained)).toContain('70 numbers are missing without an explanation')
})
