// One thing: what columns are called in English, Portuguese, Spanish, German and French, and by programs.
import { fold } from '#src/kit/text.ts'
import type { ImportField } from './fields.rules.ts'

/** A field that a heading may mean; of two columns for one field, the one with the lower rank has the clearer heading. */
type Meaning = { readonly field: ImportField; readonly rank: number }

// Headings without accents, case, spaces and punctuation, those that say most first.
const HEADINGS: readonly (readonly [field: ImportField, headings: string])[] = [
  [
    'email',
    `email emailaddress useremail memberemail studentemail learneremail customeremail contactemail primaryemail emailid
    mail mailaddress email1value emailvalue emailprimary personalemail workemail correo correoelectronico
    direcciondecorreo direcciondecorreoelectronico correodelalumno correodelestudiante emaildelalumno emaildoaluno
    enderecodeemail enderecoeletronico enderecodecorreioeletronico correioeletronico emailadresse mailadresse
    emailkontakt adressemail adresseemail adressedecourriel adresseelectronique courriel emaildeleleve emailderteilnehmer
    emailanschrift username login benutzername utilizador usuario`,
  ],
  [
    'name',
    `name fullname membername studentname learnername customername contactname username displayname nameofstudent
    participant participantname nome nomecompleto nomedoaluno nomedaaluna nomedoestudante aluno nombre nombrecompleto
    nombreyapellidos nombreyapellido apellidosynombre nombredelalumno nombredelestudiante alumno estudiante vollername
    vollstandigername vorundnachname namevorname nachnamevorname teilnehmer teilnehmername teilnehmerin nom nomcomplet
    nometprenom nomprenom prenomnom prenometnom nomdeleleve eleve student learner`,
  ],
  [
    'first_name',
    `firstname givenname fname forename first userfirstname studentfirstname preferredfirstname primeironome nomeproprio
    primernombre nombredepila nombres vorname vornamen rufname prenom prenoms`,
  ],
  [
    'last_name',
    `lastname familyname surname lname last userlastname studentlastname apelido apelidos sobrenome ultimonome
    nomedefamilia apellido apellidos primerapellido nachname familienname zuname nomdefamille patronyme`,
  ],
  [
    'phone',
    `phone phonenumber telephone telephonenumber mobile mobilephone mobilenumber cell cellphone cellnumber phone1value
    tel telno sms whatsapp phonevalue primaryphone homephone workphone contactnumber telefone telemovel celular
    numerodetelefone numerodetelemovel numerodecelular movel telefono telefonomovil movil numerodetelefono telefon
    telefonnummer handy handynummer mobiltelefon mobilnummer mobil mobilfunknummer rufnummer festnetz portable mobiletel
    telephoneportable numerodetelephone numtel`,
  ],
  [
    'external_id',
    `externalid sourcedid externaluserid externalreference userid memberid studentid learnerid customerid contactid
    personid uuid guid id identifier studentnumber membershipnumber customernumber numerodealuno numerodeestudante
    numerodesocio matricula numerodematricula iddoaluno iddeusuario iddoutilizador identificador numerodealumno
    numerodesocio idalumno idestudiante matrikelnummer mitgliedsnummer kundennummer teilnehmernummer schulernummer
    benutzerid identifiant numeroetudiant numerodeleve numeroclient`,
  ],
  ['locale', 'locale language lang preferredlanguage languagecode idioma lingua idiomapreferido lengua sprache langue'],
  [
    'time_zone',
    'timezone tz timezonename usertimezone fusohorario fuso zonahoraria husohorario zeitzone fuseauhoraire fuseau',
  ],
  [
    'tags',
    `tags tag labels label usertags contacttags keywords etiquetas etiqueta marcadores marcador palavraschave
    schlagworter schlagworte schlagwort stichworte etiketten etiquettes etiquette motscles libelles`,
  ],
  [
    'groups',
    `groups group groupname groupnames cohort cohorts class classes classname team teams segment segments
    groupmembership grupos grupo turma turmas equipa equipe clase clases cohorte gruppe gruppen klasse klassen kohorte
    kursgruppe groupe groupes classe`,
  ],
  [
    'note',
    `note notes comment comments remark remarks nota notas observacao observacoes comentario comentarios observaciones
    notiz notizen bemerkung bemerkungen kommentar anmerkung anmerkungen remarque remarques commentaire commentaires`,
  ],
  [
    'marketing_consent',
    `marketingconsent marketinggranted acceptsmarketing emailmarketingconsent optin optedin emailoptin marketingoptin
    subscribed issubscribed subscribedtoemails newsletter newsletters emailmarketing mailinglist consent marketing
    marketingemails subscriptionstatus emailstatus subscribedtomarketing emailsubscribed consentimento
    aceitamarketing receberemails aceitareceberemails subscrito inscrito consentimiento aceptamarketing suscrito
    boletin recibirnoticias einwilligung werbeeinwilligung newsletterabo newsletterabonnent abonniert abonnement
    consentement infolettre abonne accepteemails unsubscribed unsubscribe unsub unsubscribedat unsubscribedfromemails
    unsubscribefrommarketingemails optedout optout emailoptout descadastrado desinscrito nosuscrito baja
    abgemeldet abgemeldetam desabonne desinscrit`,
  ],
  [
    'enrolled_at',
    `enrolledat activatedat enrollmentdate enrolleddate dateenrolled enrolled enrolledon enrolmentdate enrollmentcreatedat
    startedat startdate startsat courseenrolledat purchasedat purchasedate datadematricula matriculadoem datadeinicio
    inscritoem datadecompra iniciadoem fechadematricula matriculadoel fechadeinscripcion inscritoel fechadeinicio
    fechadecompra einschreibedatum eingeschriebenam eingeschriebenseit startdatum kursbeginn gebuchtam kaufdatum
    datededebut datedebut commencele achetele dateachat datedachat createdat`,
  ],
  [
    'joined_at',
    `joinedat joined datejoined joindate joineddate membersince signupdate signedup signedupat datesignedup
    registeredat registered registrationdate dateregistered createdat created datecreated creationdate created_at
    createddate createdon dateadded addedat addedon added optintime confirmtime signup since subscribedat subscribeddate
    firstseen datadeadesao datadeinscricao datadeinscricaonaescola datadecadastro cadastradoem cadastro datadecriacao
    criadoem registadoem datadoregisto dataderegisto membrodesde clientedesde desde fechadealta alta fechaderegistro
    registradoel fechadecreacion creadoel creado miembrodesde fechadeinscripcionenlaescuela beitrittsdatum beigetreten
    mitgliedseit registriertam registriert registrierungsdatum angemeldetam anmeldedatum erstelltam erstellt eintritt
    eintrittsdatum dabeiseit seit dateinscription inscritle inscription datedinscription datedecreation creele cree
    membredepuis depuis dateajout ajoutele datedajout datedadhesion`,
  ],
  [
    'course',
    `course coursename coursetitle courseslug courseid product productname products program programname training
    productid enrolledin curso cursos nomedocurso formacao produto produtos inscritoem nombredelcurso formacion
    producto productos programa inscritoen kurs kursname kurstitel kurse lehrgang schulung produkt seminar cours
    nomducours formation intituleducours produit produits enrollment enrollments`,
  ],
  [
    'access_ends_at',
    `accessendsat accessends accessuntil accessexpires accessexpiresat expiresat expires expirydate expirationdate
    expiresontime expireson enrollmentexpiresat validuntil enddate endsat endson acessoate datadeexpiracao expiraem
    validade validoate datadefim datadetermino accesohasta fechadeexpiracion fechadevencimiento venceel caducael
    fechadecaducidad validohasta fechadefin zugangbis zugriffbis ablaufdatum lauftabam gultigbis enddatum ablauf
    accesjusquau accesjusqua datedexpiration dateexpiration expirele valablejusquau datedefin datefin`,
  ],
  [
    'percent_complete',
    `percentcomplete percentcompleted percentagecompleted percentagecomplete progress progresspercent completionrate
    courseprogress completionpercentage percentage percent completion progresso progressodocurso
    percentagem percentualconcluido percentualdeconclusao porcentagem percentagemconcluida progreso progresodelcurso
    porcentaje porcentajecompletado avance fortschritt kursfortschritt prozent prozentabgeschlossen progression
    avancement pourcentage pourcentagetermine`,
  ],
  [
    'completed_at',
    `completedat completiondate completed datecompleted completedon finishedat finished finishdate coursecompletedat
    datadeconclusao concluidoem concluido fechadefinalizacion completadoel completado finalizadoel terminadoel
    fechadeterminacion abgeschlossenam abschlussdatum abgeschlossen terminele termine datedachevement acheve
    datedecompletion`,
  ],
  [
    'lesson',
    `lesson lessonname lessontitle lecture lecturename lessonid aula licao nomedaaula leccion clasename nombredelaleccion
    lektion lektionsname lecon nomdelalecon`,
  ],
  [
    'lesson_completed_at',
    'lessoncompletedat lecturecompletedat lessoncompletiondate lessoncompletedon aulaconcluidaem leccioncompletadael lektionabgeschlossenam leconterminele',
  ],
  [
    'status',
    `status state enrollmentstatus coursestatus userstatus memberstatus completed iscompleted completionstatus
    enableduser active isactive enabled activated estado situacao ativo activo kursstatus zustand aktiv statut etat actif
    estadodelcurso statutducours concluido completado abgeschlossen termine`,
  ],
  // After the others: what such a column has most often is tried first.
  ['marketing_consent', 'status state memberstatus'],
  ['percent_complete', 'completed completionstatus concluido completado abgeschlossen termine'],
  [
    'ignore',
    `address street city town state province region country zip zipcode postcode postalcode company organization title
    website birthday gender age src utmsource role type source count total lastlogin lastloginat lastsignin lastsigninat
    lastseen lastseenat lastactivity lastactivityat signincount logincount amountspent totalspent purchases revenue
    netrevenue ltv score points grade grades rating avatar photo image url ip optinip confirmip latitude longitude gmtoff
    dstoff cc leid euid memberrating lastchanged updatedat updated lastmodified datelastmodified enrollmentcount
    completedcount suspendedat headline bio affiliatecode coupon price currency emailverified confirmed password
    morada endereco rua cidade localidade distrito pais codigopostal cep empresa funcao aniversario datadenascimento
    genero idade ultimoacesso ultimologin nif contribuinte cpf cargo direccion calle ciudad provincia poblacion
    fechadenacimiento sexo edad ultimaconexion ultimoacceso dni nie adresse strasse ort stadt plz postleitzahl land
    bundesland firma geburtsdatum geburtstag geschlecht alter letzteanmeldung letzterlogin anrede titel rue ville
    codepostal pays entreprise societe datedenaissance sexe dernierconnexion derniereconnexion civilite phone1label
    phone1type email1label email1type middlename nameprefix namesuffix nickname orgsourcedids roles userids grade
    agentsourcedids schoolsourcedid birthdate dateofbirth`,
  ],
]

const MEANINGS = new Map<string, Meaning[]>()
for (const [rank, [field, heading]] of HEADINGS.flatMap(([field, all]) =>
  all.split(/\s+/).map(heading => [field, heading] as const),
).entries()) {
  const known = MEANINGS.get(heading) ?? []
  if (known.every(meaning => meaning.field !== field)) MEANINGS.set(heading, [...known, { field, rank }])
}

/** A heading without case, accents, spaces and punctuation. */
export const foldHeading = (heading: string): string => fold(heading).replace(/[^\p{L}\p{N}]/gu, '')

// Remarks in brackets, and the number of a repeated heading, are left out where the whole is not known.
const findForm = (heading: string): string | undefined =>
  [heading, heading.replace(/\s*[([{].*$/, ''), heading.replace(/[\s_]*\d+$/, '')]
    .map(foldHeading)
    .find(form => MEANINGS.has(form))

/** The fields that a heading may mean, in the order of likelihood; none where it is not known. */
export const findMeanings = (heading: string): readonly Meaning[] => MEANINGS.get(findForm(heading) ?? '') ?? []

/** Whether a text is what columns of lists of people are called. */
export const isKnownHeading = (text: string): boolean => findMeanings(text).length > 0
