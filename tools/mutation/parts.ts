/** A part of the code base that is mutated: its files, and the tests that must notice. Patterns are relative to the root. */
export type Part = {
  readonly sources: readonly string[]
  readonly tests: readonly string[]
}

// A folder that is renamed is renamed here, and nowhere else in this tool.
export const parts: Readonly<Record<string, Part>> = {
  'oauth-token': {
    sources: ['src/oauth/token/*.ts'],
    tests: [
      'src/oauth/token/*.test.ts',
      'tests/{token,refresh,revoke,introspect,pre-registered-refresh,clients-refresh,lifetimes,oauth-errors}.test.ts',
    ],
  },
  access: {
    sources: [
      'src/areas/learning/access/*.ts',
      'src/areas/learning/access/{bundles,explanation}/*.ts',
      'src/areas/learning/students/access/*.ts',
    ],
    tests: [
      'src/areas/learning/access/*.test.ts',
      'src/areas/learning/access/{bundles,explanation,holds}/*.test.ts',
      'src/areas/learning/students/students.test.ts',
      'src/areas/learning/enrollments/enrolling.test.ts',
      'tools/permission-docs.test.ts',
    ],
  },
  erasure: {
    sources: [
      'src/areas/people/members/erasure/*.ts',
      'src/areas/people/members/departure/*.ts',
      'src/areas/people/members/states/*.ts',
      'src/areas/learning/groups/erasure/*.ts',
      'src/identity/erasure/*.ts',
      'src/areas/people/account/deletion/*.ts',
    ],
    tests: [
      'src/areas/people/account/deletion.test.ts',
      'src/areas/people/account/deletion/*.test.ts',
      'src/areas/people/members/states/*.test.ts',
      'src/identity/erasure/*.test.ts',
      'tools/permission-docs.test.ts',
    ],
  },
  limits: {
    sources: [
      'src/db/rate-limit.ts',
      'src/http/rate.ts',
      'src/identity/codes/codes.ts',
      'src/identity/sign-in.ts',
      'src/kit/{net,slots}.ts',
      'src/oauth/*/limits.ts',
    ],
    tests: [
      'src/db/rate-limit.test.ts',
      'src/http/rate*.test.ts',
      'src/kit/{net,slots*,forwarded}.test.ts',
      'src/identity/limits.test.ts',
      'src/oauth/client-metadata/*.test.ts',
      'tests/limits.test.ts',
    ],
  },
  escaping: {
    sources: ['src/kit/{html,text,html-page,form}.ts', 'src/http/csv.ts', 'src/identity/mail/{render,rows,send}.ts'],
    tests: ['src/kit/{html,text*,html-page,form}.test.ts', 'src/http/csv.test.ts', 'src/identity/mail/*.test.ts'],
  },
}
