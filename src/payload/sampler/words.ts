/** Small lists of our own, for texts that a person can read. Neutral on purpose: they fit people, things and places. */
export const NAMES = ['Juniper', 'Willow', 'Rowan', 'Hazel', 'Maple', 'Linden', 'Aspen', 'Clover', 'Sorrel', 'Alder'];
export const FIRST_NAMES = ['Ada', 'Grace', 'Alan', 'Edith', 'Linus', 'Mary', 'Niklas', 'Olga', 'Paulo', 'Yuki'];
export const LAST_NAMES = 'Almeida Berg Castell Dahl Eriksen Fontaine Greene Holm Ito Jansen'.split(' ');
/** Of the lists from here to the time zones, what stands at one place is of one country. */
export const COUNTRIES = ['Norway', 'Portugal', 'Japan', 'Kenya', 'Ecuador', 'Estonia', 'Senegal', 'Australia'];
export const COUNTRY_CODES = ['NO', 'PT', 'JP', 'KE', 'EC', 'EE', 'SN', 'AU'];
export const CITIES = ['Oslo', 'Lisbon', 'Kyoto', 'Nairobi', 'Quito', 'Tartu', 'Dakar', 'Hobart'];
export const STATES = ['Viken', 'Lisboa', 'Kansai', 'Nairobi County', 'Pichincha', 'Tartumaa', 'Dakar', 'Tasmania'];
export const CURRENCIES = ['NOK', 'EUR', 'JPY', 'KES', 'USD', 'EUR', 'XOF', 'AUD'];
export const DIALING_CODES = ['+47', '+351', '+81', '+254', '+593', '+372', '+221', '+61'];
/** Examples of the IBAN registry, whose check digits are right. */
export const IBANS = ['NO9386011117947', 'PT50000201231234567890154', 'EE382200221020145685', 'DE89370400440532013000'];
export const LANGUAGES = ['nb', 'pt', 'ja', 'en', 'es', 'et', 'fr', 'en'];
export const LOCALES = ['nb-NO', 'pt-PT', 'ja-JP', 'en-KE', 'es-EC', 'et-EE', 'fr-SN', 'en-AU'];
export const TIME_ZONES =
  'Europe/Oslo Europe/Lisbon Asia/Tokyo Africa/Nairobi America/Guayaquil Europe/Tallinn Africa/Dakar Australia/Hobart'.split(
    ' ',
  );
export const STREETS = ['Mill Lane', 'Harbour Street', 'Station Road', 'Garden Row', 'Bridge Street', 'High Street'];
export const COMPANIES = ['Northwind Works', 'Blue Harbour', 'Tallgrass', 'Copper & Pine', 'Lantern Labs', 'Quarry'];
export const JOBS = ['engineer', 'designer', 'editor', 'librarian', 'surveyor', 'baker'];
export const COLOURS = ['teal', 'amber', 'crimson', 'olive', 'indigo', 'coral', 'slate', 'ivory'];
export const TAGS = ['new', 'popular', 'seasonal', 'limited', 'archived', 'featured', 'local', 'spare'];
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const GENDERS = ['female', 'male', 'other'];
/** In the form of ISO 9362, of a bank that does not exist. */
export const BICS = ['STNDNOKKXXX', 'STNDPTPLXXX', 'STNDEE2XXXX', 'STNDDEFFXXX'];
export const UNITS = ['piece', 'kg', 'box', 'litre', 'metre'];
export const MEDIA_TYPES = ['image/png', 'text/plain', 'application/pdf', 'application/json'];
export const FILES = ['report.pdf', 'photo.png', 'notes.txt', 'export.csv', 'archive.zip'];
export const STATUS_WORDS = ['active', 'pending', 'done', 'archived'];
export const TITLES = [
  'A quiet morning',
  'Notes from the harbour',
  'The long way round',
  'Second edition',
  'What the tide left',
  'Early frost',
];
export const SENTENCES = [
  'Sturdy, simple and easy to mend.',
  'Collected by hand in early spring.',
  'The usual choice for small rooms.',
  'Kept dry and out of the sun.',
  'Made to order within two weeks.',
  'Best shared with friends.',
];
/** For texts that nothing is known of. */
export const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heron', 'inlet', 'lumen', 'moss'];
