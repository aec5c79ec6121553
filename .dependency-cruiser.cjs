/** Room → rooms that it may import (docs/contributing/architecture.md). */
const rooms = {
  'lib/contract': [],
  'lib/async': ['lib/contract'],
  'lib/http': [],
  'lib/files': [],
  'lib/csv': [],
  'lib/statistics': [],
  'lib/access': ['lib/files', 'lib/http', 'lib/async', 'lib/contract'],
  'lib/service': ['lib/csv', 'lib/files', 'lib/http', 'lib/async', 'lib/contract'],
  'lib/upstream': ['lib/http', 'lib/async', 'lib/contract'],
  'lib/timeline': ['lib/statistics', 'lib/async', 'lib/contract'],
  'lib/archive': ['lib/timeline', 'lib/statistics', 'lib/async', 'lib/contract'],
  'lib/store': ['lib/archive', 'lib/upstream', 'lib/files', 'lib/async', 'lib/contract'],
  'lib/sync': ['lib/archive', 'lib/upstream', 'lib/csv', 'lib/files', 'lib/async', 'lib/contract'],
  'lib/alerts': [
    'lib/sync',
    'lib/archive',
    'lib/statistics',
    'lib/files',
    'lib/http',
    'lib/async',
    'lib/contract',
  ],
  'lib/nodes': [
    'lib/store',
    'lib/sync',
    'lib/archive',
    'lib/upstream',
    'lib/files',
    'lib/async',
    'lib/contract',
  ],
  'lib/api': [
    'lib/archive',
    'lib/statistics',
    'lib/sync',
    'lib/upstream',
    'lib/csv',
    'lib/http',
    'lib/async',
    'lib/contract',
  ],
  'lib/client': ['lib/contract'],
  'lib/mcp': ['lib/contract'],
  'lib/server': ['lib'],
  components: ['lib/client', 'lib/statistics', 'lib/contract'],
  'app(?!/api)': ['lib/server', 'lib/client', 'lib/contract', 'components'],
  'app/api': ['lib/server', 'lib/api'],
  'pages/api': ['lib/server'],
}

/** A room may import rooms of earlier lines only. */
const storeys = [
  ['format', 'store'],
  ['ui'],
  ['time', 'permissions'],
  ['marks', 'feedback', 'export'],
  ['charts', 'embed', 'alerts', 'saved'],
  ['list'],
  ['profile'],
  ['rating', 'symbols', 'users', 'downloads', 'about', 'docs', 'access', 'sql'],
  ['ratings'],
  ['changes', 'lookups', 'search', 'status'],
  ['shell'],
]

const BESIDE = '^(scripts|bench|soak|e2e|testing)/'

const wall = ([room, allowed]) => ({
  name: `room ${room}`,
  severity: 'error',
  from: { path: `^${room}/` },
  to: {
    path: '^(lib|components|app|pages)/',
    pathNot: [room, ...allowed].map((name) => `^${name}/`),
  },
})

const storey = (names, index) =>
  names.map((name) => ({
    name: `room components/${name}`,
    severity: 'error',
    from: { path: `^components/${name}/` },
    to: {
      path: '^components/',
      pathNot: [name, ...storeys.slice(0, index).flat()].map((below) => `^components/${below}/`),
    },
  }))

module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(wall),
    ...storeys.flatMap(storey),
    {
      name: 'a room of components is in the list',
      severity: 'error',
      from: {},
      to: { path: '^components/', pathNot: storeys.flat().map((name) => `^components/${name}/`) },
    },
    {
      name: 'primitives never heard of a rating',
      severity: 'error',
      from: { path: '^components/ui/' },
      to: { path: '^lib/', pathNot: '^lib/contract/base-path' },
    },
    {
      name: 'the product needs nothing of what stands beside it',
      severity: 'error',
      from: { path: '^(lib|components|app|pages|instrumentation)' },
      to: { path: BESIDE },
    },
    {
      name: 'only the process itself talks to a provider of sign-in',
      severity: 'error',
      from: { path: '^(app|pages|components)' },
      to: { path: 'node_modules/openid-client/', reachable: true },
    },
    { name: 'no circle of files', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no circle of folders',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    // With tests, every folder would be circular through testing/.
    exclude: { path: '\\.test\\.tsx?$|^bench/floor/(\\.next/|next-env)' },
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.mjs', '.js', '.cjs', '.json'],
    },
  },
}
