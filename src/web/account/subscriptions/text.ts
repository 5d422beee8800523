import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of subscriptions, in every language; `{…}` is filled in. */
export const subscriptionText = {
  title: say('Your subscriptions', 'As suas assinaturas'),
  none: say('You have no subscriptions.', 'Não tem assinaturas.'),
  noneAbout: say(
    'What you pay again and again, such as a membership or a payment plan, is shown here.',
    'O que paga regularmente, como um plano ou um pagamento em prestações, aparece aqui.',
  ),
  catalogue: say('See all courses', 'Ver todos os cursos'),
  older: say('Older subscriptions', 'Assinaturas mais antigas'),
  newest: say('Newest subscriptions', 'Assinaturas mais recentes'),
  back: say('Back to your subscriptions', 'Voltar às suas assinaturas'),
  backToOne: say('Back to the subscription', 'Voltar à assinatura'),
  status: {
    incomplete: say('Waiting for the first payment', 'À espera do primeiro pagamento'),
    trialing: say('Free trial', 'Período experimental'),
    active: say('Active', 'Ativa'),
    past_due: say('Payment missing', 'Pagamento em falta'),
    paused: say('Paused', 'Em pausa'),
    completed: say('Paid in full', 'Totalmente paga'),
    canceled: say('Canceled', 'Cancelada'),
    expired: say('Ended', 'Terminada'),
  },
  ends: say('Ends on {day}', 'Termina em {day}'),
  about: {
    incomplete: say(
      'It begins once you have paid, or given a card. Without that it ends by itself within a day.',
      'Começa quando pagar ou indicar um cartão. Sem isso, termina sozinha no prazo de um dia.',
    ),
    trialing: say(
      'You pay nothing until {day}. Then it costs {terms}.',
      'Não paga nada até {day}. Depois custa {terms}.',
    ),
    next: say('The next charge of {amount} is on {day}.', 'A próxima cobrança de {amount} é em {day}.'),
    nextUnknown: say('The next charge is on {day}.', 'A próxima cobrança é em {day}.'),
    nextTransfer: say(
      'The next payment of {amount} is due on {day}. We send you an e-mail then that says how to pay.',
      'O próximo pagamento de {amount} é devido em {day}. Enviamos-lhe então uma mensagem que diz como pagar.',
    ),
    gift: say('The school gives you this. Nothing is charged.', 'A escola oferece-lhe isto. Não é cobrado nada.'),
    giftUntil: say(
      'The school gives you this until {day}. Nothing is charged.',
      'A escola oferece-lhe isto até {day}. Não é cobrado nada.',
    ),
    payments: say('{n} of {total} payments made.', '{n} de {total} pagamentos feitos.'),
    cancelPlanned: say(
      'It is canceled: you keep access until {day}, and nothing more is charged.',
      'Está cancelada: mantém o acesso até {day} e não é cobrado mais nada.',
    ),
    pastDue: say('A payment of {amount} is missing.', 'Falta um pagamento de {amount}.'),
    retry: say('We try again on {day}.', 'Tentamos de novo em {day}.'),
    noRetry: say(
      'It is not tried again by itself. Pay now, or give another card.',
      'Não volta a ser tentado sozinho. Pague agora ou indique outro cartão.',
    ),
    accessKept: say('You still have access meanwhile.', 'Entretanto mantém o acesso.'),
    accessStopped: say('Your access is suspended until it is paid.', 'O seu acesso está suspenso até estar paga.'),
    paused: say('Nothing is charged while it is paused.', 'Não é cobrado nada enquanto está em pausa.'),
    pausedUntil: say('It goes on by itself on {day}.', 'Continua sozinha em {day}.'),
    completed: say(
      'All {total} payments are made, and nothing more is charged. Your access stays as agreed.',
      'Os {total} pagamentos estão feitos e não é cobrado mais nada. O seu acesso mantém-se como combinado.',
    ),
    canceled: say('It ended on {day}, and nothing more is charged.', 'Terminou em {day} e não é cobrado mais nada.'),
    expired: say('It has ended, and nothing more is charged.', 'Terminou e não é cobrado mais nada.'),
  },
  pay: say('Pay {amount} now', 'Pagar {amount} agora'),
  payFirst: say('Continue to payment', 'Continuar para o pagamento'),
  details: say('Details', 'Detalhes'),
  facts: {
    terms: say('Price', 'Preço'),
    card: say('Card', 'Cartão'),
    code: say('Code', 'Código'),
    credit: say('Credit', 'Crédito'),
    started: say('Since', 'Desde'),
  },
  codeAlways: say('{code}, for every payment', '{code}, em todos os pagamentos'),
  codeOnce: say('{code}, for one more payment', '{code}, em mais um pagamento'),
  codeMore: say('{code}, for {n} more payments', '{code}, em mais {n} pagamentos'),
  creditAbout: say('{amount}, used for your next payments', '{amount}, usado nos próximos pagamentos'),
  free: say('Nothing', 'Nada'),
  method: say('{brand} ending in {last4}', '{brand} terminado em {last4}'),
  methodUntil: say(
    '{brand} ending in {last4}, valid until {until}',
    '{brand} terminado em {last4}, válido até {until}',
  ),
  noMethod: say('None yet', 'Ainda nenhum'),
  transfer: say('You pay each time yourself', 'Paga cada vez pessoalmente'),
  card: {
    change: say('Change the card', 'Mudar o cartão'),
    add: say('Add a card', 'Indicar um cartão'),
    of: say('The card for {name}.', 'O cartão de {name}.'),
    about: say(
      'You enter the card on the page of the payment provider and come back here. Nothing is charged by that alone.',
      'Introduz o cartão na página do fornecedor de pagamentos e volta aqui. Isso, por si só, não cobra nada.',
    ),
    aboutDue: say(
      'You enter the card on the page of the payment provider and come back here. What is due is then charged to it.',
      'Introduz o cartão na página do fornecedor de pagamentos e volta aqui. O que está em dívida é então cobrado nele.',
    ),
  },
  change: {
    link: say('Change plan', 'Mudar de plano'),
    title: say('Change plan', 'Mudar de plano'),
    about: say(
      'You have {name} for {terms}. Choose what you want instead; you see what it costs before anything changes.',
      'Tem {name} por {terms}. Escolha o que prefere; vê quanto custa antes de alguma coisa mudar.',
    ),
    none: say('There is no other plan to choose from at the moment.', 'De momento não há outro plano à escolha.'),
    choose: say('See what it costs', 'Ver quanto custa'),
    chooseOne: say('See what {name} costs', 'Ver quanto custa {name}'),
    previewTitle: say('Change to {name}', 'Mudar para {name}'),
    newTerms: say('From then on you pay {terms}.', 'A partir daí paga {terms}.'),
    now: say('What happens now', 'O que acontece agora'),
    lines: {
      credit: say('What you have not used of {name}', 'O que não usou de {name}'),
      tax: say('Tax {name}', 'Imposto {name}'),
    },
    toPay: say('To pay now', 'A pagar agora'),
    credit: say('Credit for your next payments', 'Crédito para os próximos pagamentos'),
    nextCharge: say('The next charge of {amount} is on {day}.', 'A próxima cobrança de {amount} é em {day}.'),
    atPeriodEnd: say(
      'It changes on {day}, when what you have paid for ends. Nothing is charged before.',
      'Muda em {day}, quando termina o que já pagou. Não é cobrado nada antes.',
    ),
    whenPaid: say(
      'It changes as soon as you have paid. If you do not pay, everything stays as it is.',
      'Muda assim que pagar. Se não pagar, fica tudo como está.',
    ),
    button: say('Change now', 'Mudar agora'),
    buttonPay: say('Change and pay {amount}', 'Mudar e pagar {amount}'),
    buttonLater: say('Change on {day}', 'Mudar em {day}'),
    later: say('Change at the end of the period instead', 'Mudar antes no fim do período'),
    sooner: say('Change now instead', 'Mudar antes já'),
  },
  pause: {
    title: say('Pause', 'Pausar'),
    about: say(
      'Nothing is charged and you have no access until you resume it. What you have paid for is not refunded.',
      'Não é cobrado nada e não tem acesso até a retomar. O que já pagou não é reembolsado.',
    ),
    button: say('Pause the subscription', 'Pausar a assinatura'),
    resume: say('Resume the subscription', 'Retomar a assinatura'),
  },
  rest: {
    title: say('Pay the rest now', 'Pagar já o resto'),
    about: say(
      'You pay all that is left at once, and nothing is charged afterwards.',
      'Paga de uma vez tudo o que falta e depois não é cobrado mais nada.',
    ),
    button: say('Pay the rest', 'Pagar o resto'),
  },
  cancel: {
    title: say('Cancel the subscription', 'Cancelar a assinatura'),
    about: say(
      'You keep access until {day}, and nothing more is charged. You can undo this until then.',
      'Mantém o acesso até {day} e não é cobrado mais nada. Até lá pode voltar atrás.',
    ),
    aboutNow: say('It ends at once, and nothing more is charged.', 'Termina imediatamente e não é cobrado mais nada.'),
    aboutPlan: say(
      'What you have paid stays paid. Your access ends on {day}, and the rest is not charged.',
      'O que pagou continua pago. O seu acesso termina em {day} e o resto não é cobrado.',
    ),
    reason: say('Why do you cancel? (optional)', 'Porque cancela? (opcional)'),
    button: say('Cancel the subscription', 'Cancelar a assinatura'),
    undo: say('Keep the subscription', 'Manter a assinatura'),
  },
  payments: {
    title: say('Payments', 'Pagamentos'),
    none: say('There are no payments yet.', 'Ainda não há pagamentos.'),
    order: say('order {number}', 'encomenda {number}'),
    all: say('See all orders', 'Ver todas as encomendas'),
  },
  done: {
    canceled: say('The subscription is canceled.', 'A assinatura foi cancelada.'),
    kept: say('The subscription goes on.', 'A assinatura continua.'),
    paused: say('The subscription is paused.', 'A assinatura está em pausa.'),
    resumed: say('The subscription goes on.', 'A assinatura continua.'),
    changed: say('The plan was changed.', 'O plano foi mudado.'),
    planned: say('The plan will be changed.', 'O plano será mudado.'),
    card: say(
      'Welcome back. A card that you have given is shown below in a moment.',
      'Bem-vindo de volta. Um cartão que tenha indicado aparece abaixo dentro de momentos.',
    ),
  },
  refusals: {
    invalid_state: say(
      'This is not possible now. Below is the subscription as it is.',
      'Isto não é possível agora. Abaixo está a assinatura como está.',
    ),
    invalid_body: say('Please check what you entered.', 'Verifique o que escreveu.'),
    charge_under_way: say(
      'A payment is on its way at this moment. Try again in a minute.',
      'Há um pagamento a caminho neste momento. Tente de novo dentro de um minuto.',
    ),
    precondition_failed: say(
      'The subscription has changed since you opened the page. Check it and try again.',
      'A assinatura mudou desde que abriu a página. Verifique-a e tente de novo.',
    ),
    provider_unavailable: say(
      'The payment page does not answer at the moment. Try again in a few seconds.',
      'A página de pagamento não responde de momento. Tente de novo dentro de alguns segundos.',
    ),
    provider_not_usable: say(
      'The school accepts no cards at the moment. Ask the school.',
      'De momento a escola não aceita cartões. Fale com a escola.',
    ),
    proration_outdated: say(
      'The amounts have changed since you saw them, so nothing was changed. Look at them again.',
      'Os valores mudaram desde que os viu, por isso nada foi mudado. Veja-os de novo.',
    ),
    change_pending: say(
      'A change of your plan is waiting already: pay its order, or wait until it happens.',
      'Já há uma mudança de plano à espera: pague a encomenda ou espere que aconteça.',
    ),
    price_not_possible: say(
      'You cannot change to this plan. Choose another one.',
      'Não pode mudar para este plano. Escolha outro.',
    ),
    other: say('This is not possible now. Nothing was changed.', 'Isto não é possível agora. Nada foi alterado.'),
  },
} as const
