import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page of payment providers, in every language; `{…}` is filled in. */
export const paymentsText = {
  title: say('Payments', 'Pagamentos'),
  about: say('How buyers pay the school', 'Como os compradores pagam à escola'),
  intro: say(
    'Buyers pay the school through these providers.',
    'Os compradores pagam à escola através destes prestadores.',
  ),
  none: say('There is no payment provider yet.', 'Ainda não há nenhum prestador de pagamentos.'),
  names: {
    manual: say('Bank transfer', 'Transferência bancária'),
    test: say('Test payments', 'Pagamentos de teste'),
    stripe: say('Stripe', 'Stripe'),
  },
  modes: {
    test: say('Test mode: no money moves', 'Modo de teste: não há movimentos de dinheiro'),
    live: say('Live mode', 'Modo real'),
  },
  secretKey: say('Secret key ending in {last4}', 'Chave secreta terminada em {last4}'),
  noSecretKey: say('The secret key is missing. Enter it again.', 'Falta a chave secreta. Introduza-a novamente.'),
  webhookSecret: say('Webhook secret ending in {last4}', 'Segredo do webhook terminado em {last4}'),
  noWebhookSecret: say('No webhook secret yet', 'Ainda sem segredo do webhook'),
  remove: say('Remove', 'Remover'),
  add: {
    manual: say('Accept bank transfers', 'Aceitar transferências bancárias'),
    manualAbout: say(
      'Staff confirm each payment when the money has arrived.',
      'A equipa confirma cada pagamento quando o dinheiro chega.',
    ),
    test: say('Accept test payments', 'Aceitar pagamentos de teste'),
    testAbout: say(
      'For trying out a test school. No money moves.',
      'Para experimentar uma escola de teste. Não há movimentos de dinheiro.',
    ),
    stripe: say('Connect Stripe', 'Ligar a Stripe'),
    stripeChange: say('Replace the secrets of Stripe', 'Substituir os segredos da Stripe'),
    stripeAbout: say(
      'Copy the keys from the developer pages of Stripe. They are stored encrypted and are never shown again. A field that you leave empty keeps its value.',
      'Copie as chaves das páginas de programador da Stripe. São guardadas cifradas e nunca mais são mostradas. Um campo vazio mantém o seu valor.',
    ),
    secretKey: say('Secret or restricted key (sk_… or rk_…)', 'Chave secreta ou restrita (sk_… ou rk_…)'),
    webhookSecret: say('Webhook signing secret (whsec_…)', 'Segredo de assinatura do webhook (whsec_…)'),
    save: say('Save', 'Guardar'),
    instructions: say('Instructions for buyers', 'Instruções para os compradores'),
    instructionsAbout: say(
      'Shown with the number of the order. Leave out what buyers do not need.',
      'Mostrado com o número da encomenda. Omita o que os compradores não precisam.',
    ),
    accountHolder: say('Account holder', 'Titular da conta'),
    iban: say('IBAN', 'IBAN'),
    text: say('Anything else, such as where to pay in person', 'Outras indicações, como onde pagar presencialmente'),
  },
  done: {
    set: say('The provider was saved.', 'O prestador foi guardado.'),
    removed: say('The provider was removed.', 'O prestador foi removido.'),
  },
  refusals: {
    secret_key: say(
      'This is not a secret key of Stripe. It begins with sk_live_, rk_live_, sk_test_ or rk_test_.',
      'Isto não é uma chave secreta da Stripe. Começa por sk_live_, rk_live_, sk_test_ ou rk_test_.',
    ),
    webhook_secret: say(
      'This is not the signing secret of a webhook. It begins with whsec_.',
      'Isto não é o segredo de assinatura de um webhook. Começa por whsec_.',
    ),
    'instructions/iban': say(
      'The IBAN is not valid. Check it for typing errors.',
      'O IBAN não é válido. Verifique se há erros de digitação.',
    ),
    wrong_payment_mode: say(
      'The mode of the key does not fit this school. A school with real payments takes live keys only, and every other school takes test keys only.',
      'O modo da chave não serve para esta escola. Uma escola com pagamentos reais só aceita chaves reais; qualquer outra só aceita chaves de teste.',
    ),
    not_found: say('This provider was removed already.', 'Este prestador já tinha sido removido.'),
  },
  ownersOnly: say('Only owners can manage payments.', 'Só os proprietários podem gerir os pagamentos.'),
} as const
