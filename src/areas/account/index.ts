import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'

export { answerAccount } from './implementations.ts'
export { AccountDeletion } from './deletion/schema.ts'
export { accountSubscribers, createAccountWork } from './jobs.ts'

/** The person behind the token, at this school. */
export const account = area({
  name: 'account',
  summary: 'The person behind the token, at this school',
  segments: ['account'],
  scopes: {
    'account:read': {
      offeredTo: 'member',
      sentence: {
        en: 'See your own account: profile, enrollments, orders and certificates',
        pt: 'Ver a sua conta: perfil, inscrições, encomendas e certificados',
      },
    },
    'account:write': {
      offeredTo: 'member',
      sentence: {
        en: 'Act for you in your own account: learn, comment, register and begin a purchase',
        pt: 'Agir por si na sua conta: aprender, comentar, inscrever-se e iniciar uma compra',
      },
    },
  },
  operations,
})
