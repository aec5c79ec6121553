import { queryOptions } from '@tanstack/react-query'
import type { Kind } from '#lib/contract/answers/questions.ts'
import { fetchInBrowser, loadAnswer } from './fetch-api.ts'

/** The kinds of answer that can be rewound. */
const REWOUND = [
  'ratings',
  'rating',
  'facets',
  'symbols',
  'opinion',
  'series',
  'comparison',
  'overview',
  'users',
  'user',
  'calls',
  'record',
] as const satisfies readonly Kind[]
type Rewound = (typeof REWOUND)[number]

export const isRewound = (kind: unknown): kind is Rewound =>
  REWOUND.some((rewound) => rewound === kind)

/** An answer by its kind and its path in the API, under the key that the screens ask for it with. */
export const prefetchOptions = (kind: Rewound, path: string) =>
  queryOptions({
    queryKey: [kind, path],
    queryFn: ({ signal }) => loadAnswer(kind, path, { fetchApi: fetchInBrowser, signal }),
  })
