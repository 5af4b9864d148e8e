/** There is one account of the service until more are configured. */
export const defaultAccount = 'default';
