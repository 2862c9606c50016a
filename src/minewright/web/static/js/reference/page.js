// The pages that the server writes, on the API and for an address without a page: the header that
// all pages share.

import { shell } from "../shared/shell.js";

shell({ page: location.pathname, moves: false });
