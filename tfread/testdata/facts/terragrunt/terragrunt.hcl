# makes files
