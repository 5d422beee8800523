import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page on which a person deletes their account, in every language; `{…}` is filled in. */
export const deletionText = {
  title: say('Delete your account', 'Eliminar a sua conta'),
  what: say(
    'Your courses, your progress, your certificates and everything you wrote are permanently deleted. Orders stay without your name. Invoices that were issued to you keep your name and address for as long as the law requires.',
    'Os seus cursos, o seu progresso, os seus certificados e tudo o que escreveu são eliminados definitivamente. As encomendas ficam sem o seu nome. As faturas que lhe foram emitidas conservam o seu nome e morada durante o prazo que a lei exige.',
  ),
  when: say(
    'Your account is deleted 14 days after your request. Until then everything works as before, and you can cancel the deletion here.',
    'A conta é eliminada 14 dias depois do seu pedido. Até lá tudo funciona como antes e pode anular o pedido aqui.',
  ),
  begin: say('Delete my account in 14 days', 'Eliminar a minha conta dentro de 14 dias'),
  due: say('Your account will be deleted on {time}.', 'A sua conta será eliminada em {time}.'),
  cancel: say('Keep my account', 'Manter a minha conta'),
  underWay: say(
    'Your account is being deleted. This can no longer be cancelled.',
    'A sua conta está a ser eliminada. Já não é possível anular.',
  ),
  done: {
    begun: say(
      'We have sent you an e-mail with the date. You can cancel the deletion until then.',
      'Enviámos-lhe uma mensagem com a data. Até lá pode anular o pedido.',
    ),
    cancelled: say('Your account will not be deleted.', 'A sua conta não será eliminada.'),
  },
  lastOwner: say(
    'You are the last owner of this school. Make another person an owner first.',
    'É a última pessoa proprietária desta escola. Dê primeiro essa função a outra pessoa.',
  ),
} as const
