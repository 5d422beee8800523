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
      'tests/{token,refresh,revoke,introspect,arranged-refresh,clients-refresh,clients,closing,lives,bound}.test.ts',
      'tests/{integrations,oauth-errors,reference-client,portal-apps,auth-md,races}.test.ts',
    ],
  },
  access: {
    sources: ['src/areas/entitlements/*.ts', 'src/areas/students/access/*.ts'],
    tests: [
      'src/areas/entitlements/*.test.ts',
      'src/areas/students/*.test.ts',
      'src/areas/students/access/*.test.ts',
      'src/areas/members/**/*.test.ts',
    ],
  },
  erasure: {
    sources: ['src/areas/members/erasure/*.ts', 'src/identity/erasure/*.ts', 'src/areas/account/deletion/*.ts'],
    tests: [
      'src/areas/account/*.test.ts',
      'src/areas/members/**/*.test.ts',
      'tests/{portal-deletion,personal,sweep}.test.ts',
    ],
  },
  limits: {
    sources: [
      'src/db/limit.ts',
      'src/http/{rate,limits,perform}.ts',
      'src/identity/codes/codes.ts',
      'src/identity/sign-in.ts',
      'src/kit/{net,slots}.ts',
      'src/oauth/*/limits.ts',
    ],
    tests: [
      'src/http/*.test.ts',
      'src/kit/{net,slots}.test.ts',
      'tests/{limits,sign-in-limits,authorize-limits,protected,forwarded,register,reset,sign-up}.test.ts',
      'tests/{clients-documents,documents-dns,portal-reset,portal-sign-in,foreign,upload-shares}.test.ts',
    ],
  },
  escaping: {
    sources: ['src/kit/{html,text,page,form}.ts', 'src/http/csv.ts', 'src/identity/mail/{render,send}.ts'],
    tests: ['src/kit/*.test.ts', 'src/http/*.test.ts', 'src/identity/**/*.test.ts', 'tests/{mail,names,lists}.test.ts'],
  },
}
