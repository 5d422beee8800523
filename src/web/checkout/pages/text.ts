import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the checkout, in every language; `{…}` is filled in. */
export const checkoutText = {
  title: say('Checkout', 'Finalizar a compra'),
  nothing: say('Nothing to buy here', 'Nada para comprar aqui'),
  errors: {
    empty: say('This address names nothing to buy.', 'Este endereço não indica nada para comprar.'),
    malformed: say(
      'This address is not complete or not valid. Go to a course or product, and choose “Buy” there.',
      'Este endereço está incompleto ou não é válido. Vá a um curso ou produto e escolha aí «Comprar».',
    ),
    too_many_items: say('One order has at most 20 items.', 'Uma encomenda tem no máximo 20 artigos.'),
    too_many_codes: say('One order has at most three codes.', 'Uma encomenda tem no máximo três códigos.'),
    lost: say(
      'This checkout has expired, or was begun in another browser. Begin again, or open it in the browser in which you began.',
      'Esta compra expirou ou foi iniciada noutro navegador. Comece de novo, ou abra-a no navegador em que começou.',
    ),
    country: say('Please choose your country: it decides the tax.', 'Escolha o seu país: decide o imposto.'),
    tax_id: say(
      'This tax id does not have the form of the chosen country. Check it, or leave it empty.',
      'Este número fiscal não tem a forma do país escolhido. Verifique-o ou deixe-o vazio.',
    ),
    agree: say('Please tick the boxes to continue.', 'Assinale as caixas para continuar.'),
    changed: say(
      'The total has changed from {before} to {after}. Nothing was ordered: check it, and confirm again.',
      'O total mudou de {before} para {after}. Nada foi encomendado: verifique-o e confirme de novo.',
    ),
    changedOtherwise: say(
      'The purchase has changed since you saw it. Nothing was ordered: check it, and confirm again.',
      'A compra mudou desde que a viu. Nada foi encomendado: verifique-a e confirme de novo.',
    ),
    too_many_pending_orders: say(
      'Three orders of yours wait for payment. Pay or cancel one of them first; nothing was ordered now.',
      'Tem três encomendas à espera de pagamento. Pague ou cancele primeiro uma delas; agora nada foi encomendado.',
    ),
    refused: say(
      'Nothing was ordered: this cannot be bought now.',
      'Nada foi encomendado: isto não se pode comprar agora.',
    ),
    seller_unknown: say(
      'This school cannot sell yet: it has not said who it is in law. Ask the school about it.',
      'Esta escola ainda não pode vender: não indicou quem é legalmente. Fale com a escola.',
    ),
    limited: say(
      'Too many wrong codes. Try your code again in ten minutes, or buy without it.',
      'Demasiados códigos errados. Tente o seu código dentro de dez minutos, ou compre sem ele.',
    ),
    too_many: say(
      'Too many purchases were begun from your network. Try again in {minutes} minutes.',
      'Foram iniciadas demasiadas compras a partir da sua rede. Tente de novo dentro de {minutes} minutos.',
    ),
    members_only: say(
      'This school sells to its members. Nothing was ordered and no account was created.',
      'Esta escola vende aos seus membros. Nada foi encomendado e não foi criada nenhuma conta.',
    ),
  },
  reasons: {
    sold_out: say('is sold out', 'está esgotado'),
    already_has_access: say('is yours already', 'já é seu'),
    offer_ended: say('is no longer offered at this price', 'já não é oferecido a este preço'),
    bought_alone: say(
      'is paid again and again, so buy it without anything else',
      'paga-se repetidamente, por isso compre-o sem mais nada',
    ),
    not_on_sale: say('is not on sale to you now', 'não está à venda para si agora'),
    free_once: say('was free for you once already', 'já foi grátis para si uma vez'),
    unique: say('is in this order already, at another price', 'já está nesta encomenda, a outro preço'),
    maximum: say('cannot be bought in this quantity', 'não se pode comprar nesta quantidade'),
    approval_required: say(
      'needs an approval of the host before it is paid for: ask for a place on the page of the event',
      'precisa da aprovação de quem organiza antes de ser pago: peça um lugar na página do evento',
    ),
    required: say(
      'is sold for a date: choose one on the page of the event',
      'vende-se para uma data: escolha uma na página do evento',
    ),
    minimum: say('cannot be bought in so small a quantity', 'não se pode comprar em tão pequena quantidade'),
    amount: say('costs what you choose, from the least amount on', 'custa o que escolher, a partir do valor mínimo'),
    unknown: say('is not for sale', 'não está à venda'),
  },
  something: say('One of the items', 'Um dos artigos'),
  courses: say('See your courses', 'Ver os seus cursos'),
  downloads: say('See your downloads', 'Ver os seus ficheiros'),
  allCourses: say('See all courses', 'Ver todos os cursos'),
  allProducts: say('See all products', 'Ver todos os produtos'),
  orders: say('See your orders', 'Ver as suas encomendas'),
  codes: {
    unknown_code: say('The code {code} does not exist.', 'O código {code} não existe.'),
    off: say('The code {code} cannot be used now.', 'O código {code} não se pode usar agora.'),
    not_yet: say('The code {code} cannot be used yet.', 'O código {code} ainda não se pode usar.'),
    over: say('The code {code} has expired.', 'O código {code} expirou.'),
    used_up: say('The code {code} is used up.', 'O código {code} está esgotado.'),
    not_for_you: say(
      'The code {code} is for certain members. If you are one of them, sign in.',
      'O código {code} é para certos membros. Se é um deles, inicie sessão.',
    ),
    used_by_you: say('You have used the code {code} already.', 'Já usou o código {code}.'),
    not_first_purchase: say('The code {code} is for a first purchase.', 'O código {code} é para a primeira compra.'),
    not_stackable: say(
      'The code {code} cannot be combined with the others.',
      'O código {code} não se pode combinar com os outros.',
    ),
    currency: say('The code {code} is for another currency.', 'O código {code} é para outra moeda.'),
    wrong_items: say('The code {code} is for other items.', 'O código {code} é para outros artigos.'),
    wrong_payment_type: say('The code {code} is for other prices.', 'O código {code} é para outros preços.'),
    below_minimum: say('The code {code} needs a larger purchase.', 'O código {code} exige uma compra maior.'),
  },
  removeItem: say('Remove {name}', 'Retirar {name}'),
  removeCode: say('Remove the code {code}', 'Retirar o código {code}'),
  quantity: say('Quantity of {name}', 'Quantidade de {name}'),
  update: say('Update', 'Atualizar'),
  codeLabel: say('Do you have a code?', 'Tem um código?'),
  apply: say('Apply', 'Aplicar'),
  details: say('Your details', 'Os seus dados'),
  haveAccount: say('Do you have an account?', 'Já tem uma conta?'),
  signIn: say('Sign in', 'Iniciar sessão'),
  signedIn: say('You are signed in as {name} ({email}).', 'A sessão é de {name} ({email}).'),
  membersOnly: say(
    'This school sells to its members. Sign in, or use the address to which you were invited; other addresses get no e-mail.',
    'Esta escola vende aos seus membros. Inicie sessão, ou use o endereço para o qual foi convidado; outros não recebem mensagem.',
  ),
  email: say('E-mail address', 'Endereço de e-mail'),
  emailHint: say(
    'We send a code there to confirm that it is yours. You need no password.',
    'Enviamos para lá um código, para confirmar que é seu. Não precisa de palavra-passe.',
  ),
  name: say('Your name', 'O seu nome'),
  country: say('Country', 'País'),
  chooseCountry: say('Choose…', 'Escolher…'),
  company: say('Company (optional)', 'Empresa (opcional)'),
  taxId: say('Tax id (optional)', 'Número fiscal (opcional)'),
  terms: say('I agree to the terms of the school.', 'Aceito os termos da escola.'),
  termsLink: say('I agree to the {link}.', 'Aceito os {link}.'),
  termsName: say('terms of the school (new tab)', 'termos da escola (novo separador)'),
  continueButton: say('Continue', 'Continuar'),
  payButton: say('Order for {total}', 'Encomendar por {total}'),
  freeButton: say('Get it for free', 'Obter grátis'),
  trialButton: say('Start the free trial', 'Começar o período experimental'),
  orderHint: say('You choose how to pay on the next page.', 'Escolhe como pagar na página seguinte.'),
  code: {
    title: say('Check your e-mail', 'Veja o seu e-mail'),
    intro: say(
      'We have sent an e-mail to {email}. It contains a six-digit code that is valid for 15 minutes or, if you already have an account, a link to open in this browser. Check your spam folder too.',
      'Enviámos uma mensagem para {email}. Contém um código de seis algarismos, válido durante 15 minutos, ou, se já tem uma conta, uma ligação para abrir neste navegador. Veja também a pasta de spam.',
    ),
    label: say('Code from the e-mail', 'Código da mensagem'),
    again: say('Send a new code', 'Enviar um novo código'),
    sent: say('We have sent a new e-mail.', 'Enviámos uma nova mensagem.'),
    other: say('Change the address or the order', 'Mudar o endereço ou a encomenda'),
    back: say('Back to the checkout', 'Voltar à compra'),
  },
  link: {
    title: say('Continue your purchase', 'Continuar a sua compra'),
    intro: say(
      'You have an account at {school} with the address {email}.',
      'Tem uma conta em {school} com o endereço {email}.',
    ),
    pay: say('Sign in and order for {total}', 'Iniciar sessão e encomendar por {total}'),
    free: say('Sign in and get it for free', 'Iniciar sessão e obter grátis'),
  },
} as const
